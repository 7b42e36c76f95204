import { runServer } from '#shared/server/run-server.ts';
import { createServer } from 'vite';

/** The front of `npm run dev`: Vite serves the client from source and passes /api and /sync on. */
await runServer(
  async () => {
    const server = await createServer({
      server: { port: Number(process.env['PORT']), strictPort: true, host: process.env['HOST'] },
    });
    return server.listen();
  },
  ({ config }) => ({ port: config.server.port }),
);
