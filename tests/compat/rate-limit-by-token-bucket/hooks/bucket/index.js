class TokenBucket {
  #tokens;
  #at = process.hrtime.bigint();
  static #count = 0;

  constructor(capacity, perSecond) {
    this.capacity = capacity;
    this.perSecond = perSecond;
    this.#tokens = capacity;
    TokenBucket.#count++;
  }

  static get count() {
    return TokenBucket.#count;
  }

  get tokens() {
    return Math.floor(this.#tokens);
  }

  #refill() {
    const now = process.hrtime.bigint();
    const seconds = Number(now - this.#at) / 1e9;
    this.#at = now;
    this.#tokens = Math.min(this.capacity, this.#tokens + seconds * this.perSecond);
  }

  take(count = 1) {
    this.#refill();
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}

class RateLimitHook {
  bucket = new TokenBucket(2, 0.0001);

  async run(point, payload) {
    if (payload.text === 'reset') this.bucket = new TokenBucket(1, 0.0001);
    if (this.bucket.take()) return { action: 'allow' };
    return { action: 'block', reason: `slow down: ${this.bucket.tokens} tokens left in bucket ${TokenBucket.count}` };
  }
}

export default new RateLimitHook();
