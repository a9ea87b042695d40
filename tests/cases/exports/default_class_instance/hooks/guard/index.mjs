class Guard {
  #word = "private";

  run(point) {
    return { action: "block", reason: `${point}: ${this.#word}` };
  }
}

export default new Guard();
