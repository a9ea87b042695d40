const kept = [];
for (;;) kept.push(new Array(1000).fill(1.5));
