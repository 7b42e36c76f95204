import Koa from 'koa';
import { expect, test } from 'vitest';
import { uploadMessagePhoto } from '#shared/chat/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { readUpload } from '../../api/platform/http/upload.ts';

test('a fault of the server’s disk doesn’t refuse an upload for good', async () => {
  let status = 0;
  const app = new Koa();
  app.use(async (ctx) => {
    const uploads = {
      // As after a cleaner of temporary files, or with EMFILE, EDQUOT or EIO.
      spool: { open: async () => ({ path: '/nonexistent/request', remove: async () => {} }) },
      inFlight: { take: () => () => {} },
    };
    await readUpload(ctx, uploadMessagePhoto.upload!, uploads as never, null).catch((error) => {
      status = error instanceof HttpError ? error.status : 500;
    });
    ctx.body = '';
  });
  const server = app.listen(0);
  const { port } = server.address() as { port: number };
  const form = new FormData();
  form.set(uploadMessagePhoto.upload!.field, new Blob(['jpeg']), 'a.jpg');
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: form });
  server.close();
  expect(status).toBeGreaterThanOrEqual(500);
});
