import { createServer } from 'node:http';

// It takes each request and says nothing.
const server = createServer(() => {});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
