import { HTTPParser } from '_http_common';

export default {
  async run(point, { args }, ctx) {
    if (args.n) return { action: 'modify', payload: { args: { twice: 2 * args.n } } };
    const parser = new HTTPParser();
    const request = Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello');
    parser.initialize(HTTPParser.REQUEST, {});
    let begun = 0;
    for (const inner of [parser, parser._native]) {
      parser[HTTPParser.kOnHeadersComplete] = () => {
        begun += 1;
        inner.initialize(HTTPParser.REQUEST, inner === parser ? {} : 0, 0);
      };
      parser.execute(request);
    }
    parser[HTTPParser.kOnHeadersComplete] = () => parser.close();
    parser.execute(request);
    return { action: 'modify', payload: { args: { begun } } };
  },
};
