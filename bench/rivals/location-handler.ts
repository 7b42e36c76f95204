import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

interface RivalReport {
  user_id: string;
  latitude: number;
  longitude: number;
}

/** A bare Koa handler, as fast as Koa goes: trusts the caller, checks nothing. Sends its port to its parent process. */
export function serveReports(answer: (report: RivalReport) => Promise<unknown[]>): void {
  const app = new Koa();
  app.use(async (ctx) => {
    let text = '';
    for await (const chunk of ctx.req) text += String(chunk);
    ctx.body = { nearbyUsers: await answer(JSON.parse(text) as RivalReport) };
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ ready: true, port: (server.address() as AddressInfo).port });
  });
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => process.exit(0));
}
