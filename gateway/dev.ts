import { createServer } from 'vite';
import { Metrics } from '#shared/server/metrics.ts';
import { runServer } from '#shared/server/run-server.ts';

/** The gateway of `npm run dev`: Vite serves the client from source and proxies /api and /sync. */
await runServer(
  async () => {
    const { PORT, HOST, METRICS_PORT } = process.env;
    const metrics = new Metrics('gateway');
    const stopMetrics = await metrics.serve(Number(METRICS_PORT), '127.0.0.1');
    const server = await createServer({
      server: { port: Number(PORT), strictPort: true, host: HOST },
    });
    await server.listen();
    return {
      port: Number(PORT),
      async close() {
        await server.close();
        await stopMetrics();
      },
    };
  },
  ({ port }) => ({ port }),
);
