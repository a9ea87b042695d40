console.log("child");
