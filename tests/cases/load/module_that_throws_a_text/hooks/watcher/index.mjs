throw "not today";
