import { runServer } from '#shared/server/run-server.ts';
import { createServer } from 'vite';

/** The gateway of `npm run dev`: Vite serves the client from source and proxies /api and /sync. */
await runServer(
  async () => {
    const server = await createServer({
      server: { port: Number(process.env['PORT']), strictPort: true, host: process.env['HOST'] },
    });
    return server.listen();
  },
  ({ config }) => ({ port: config.server.port }),
);
