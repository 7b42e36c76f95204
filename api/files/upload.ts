import multer from '@koa/multer';
import type { Context } from 'koa';
import { MulterError } from 'multer';
import type { Upload } from '#shared/endpoint.ts';
import { Refusal } from '../refusal.ts';

/**
 * Reads the one file of a multipart request.
 * @throws Refusal 400 without a file, 413 over the limit, 415 when the request is not multipart
 */
export async function readUpload(
  ctx: Context,
  { field, maxBytes, tooLarge }: Upload,
): Promise<Buffer> {
  if (!ctx.is('multipart/form-data')) throw new Refusal(415, `The ${field} must be sent as a form`);
  const reader = multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: maxBytes, files: 1, fields: 5, fieldSize: 1024, parts: 6 },
  });
  try {
    await reader.single(field)(ctx, async () => {});
  } catch (error) {
    if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE')
      throw new Refusal(413, tooLarge, { cause: error });
    throw new Refusal(400, 'Invalid input', { cause: error });
  }
  const file = (ctx as { file?: { buffer: Buffer } }).file;
  if (!file) throw new Refusal(400, 'Required', { fields: { [field]: 'Required' } });
  return file.buffer;
}
