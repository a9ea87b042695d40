throw new Error('at load');
