import multer from '@koa/multer';
import type { Context } from 'koa';
import { MulterError } from 'multer';
import type { Upload } from '#shared/endpoint.ts';
import { Refusal } from '../refusal.ts';

const FIELDS_MAX = 40;
const FIELD_BYTES_MAX = 8 * 1024;

/**
 * Reads a multipart request: its one file, and the fields beside it as texts.
 * @returns no file only where it may be left out
 * @throws Refusal 400 without a file, 413 over the limit, 415 when the request is not multipart
 */
export async function readUpload(
  ctx: Context,
  { field, maxBytes, tooLarge, isOptional }: Upload,
): Promise<{ file: Buffer | null; fields: Record<string, string> }> {
  if (!ctx.is('multipart/form-data')) throw new Refusal(415, `The ${field} must be sent as a form`);
  const reader = multer({
    storage: multer.memoryStorage(),
    limits: {
      fileSize: maxBytes,
      files: 1,
      fields: FIELDS_MAX,
      fieldSize: FIELD_BYTES_MAX,
      parts: FIELDS_MAX + 1,
    },
  });
  try {
    await reader.single(field)(ctx, async () => {});
  } catch (error) {
    if (error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE')
      throw new Refusal(413, tooLarge, { cause: error });
    throw new Refusal(400, 'Invalid input', { cause: error });
  }
  const { file } = ctx as { file?: { buffer: Buffer } };
  if (!file && !isOptional) throw new Refusal(400, 'Required', { fields: { [field]: 'Required' } });
  const { body } = ctx.request as { body?: Record<string, string> };
  return { file: file?.buffer ?? null, fields: { ...body } };
}
