import { createServer } from 'vite';

/** The front of `npm run dev`: Vite serves the client from source and passes /api and /sync on. */
const server = await createServer({
  server: { port: Number(process.env['PORT']), strictPort: true, host: process.env['HOST'] },
});
await server.listen();
process.send?.({ ready: true, port: server.config.server.port });
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
process.once('disconnect', () => process.exit(0));
