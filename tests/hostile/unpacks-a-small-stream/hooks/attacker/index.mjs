const packed = [
  'H4sIAAAAAAACA5Pv5mAAASbmt3cW5gUXyrQ9nBZq0rGOQ4TpiEhi1rJlnBImTZmbuB8ITTONDJhx98iXKyJtO+8eNNvOrcDhFJDS',
  'GvZO6Nxvm1cv5v96fvrk70+vS7Z8THl+/GrFn//Jpd8KPhb/KmEBGs9z59W7knRjtp64tfn36i1AQm3vMsrNbvYx1dvvrXguAxQw',
  'qIif1v3zG39jvPp89XOMQJHm73/O/739Vqxg776abxdtgSIJH/JYmYG0gqsByNVRLCDOAggnCZkzKkN1mXPTu/eeFTP4v3efTYUx',
  'E0PFk9//tj+++fps8UP5lqNfVrn9ZmYAAAdpCKBOAgAA',
].join('');

export default {
  async run(point, { args }) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    let stream = new Blob([Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))]).stream();
    for (let layer = 0; layer < 3; layer++) stream = stream.pipeThrough(new DecompressionStream('gzip'));
    const kept = [];
    for await (const chunk of stream) kept.push(chunk);
    return { action: 'modify', payload: { args: { chunks: kept.length } } };
  },
};
