import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multer from '@koa/multer';
import type { Context } from 'koa';
import { MulterError } from 'multer';
import type { Upload } from '#shared/endpoint.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { Caller } from '../session-cache.ts';
import type { InFlight } from './in-flight.ts';
import type { Spool } from './spool.ts';

const FIELDS_MAX = 40;
/** The longest text has 4,000 characters, of up to 3 bytes each. */
const FIELD_BYTES_MAX = 16 * 1024;
/** Maximum size of a form without its file. */
const FORM_BYTES_MAX = 64 * 1024;

/** An uploaded file, on disk until the request is finished. */
export interface UploadedFile {
  path: string;
  bytes: number;
}

export interface ReceivedForm {
  /** Null if there was none. */
  file: UploadedFile | null;
  fields: Record<string, string>;
  /** Removes the file, and frees its space for other uploads. */
  done(): Promise<void>;
}

/** Spools uploads to disk, within a limit. */
export interface Uploads {
  spool: Spool;
  inFlight: InFlight;
}

/** @throws HttpError 413 if the upload with its form is too large */
function announcedBytes(ctx: Context, { maxBytes, tooLarge }: Upload): number {
  const most = maxBytes + FORM_BYTES_MAX;
  const announced = Number(ctx.req.headers['content-length'] ?? most);
  if (announced > most) throw new HttpError(413, tooLarge);
  return announced;
}

/**
 * Reads a multipart request: its file, spooled to disk, and its other fields.
 * @returns no file only if it is optional; the caller must call `done`
 * @throws HttpError 400 without a file, 413 over the limit, 415 if the request isn’t multipart, 429 or 503 if there is
 * no space now
 */
export async function readUpload(
  ctx: Context,
  upload: Upload,
  { spool, inFlight }: Uploads,
  visitor: Caller | null,
): Promise<ReceivedForm> {
  const { field, isOptional } = upload;
  if (!ctx.is('multipart/form-data'))
    throw new HttpError(415, `The ${field} must be uploaded as form data`);
  const release = inFlight.take(ctx, announcedBytes(ctx, upload), visitor);
  let directory: Awaited<ReturnType<Spool['open']>> | null = null;
  const done = async () => {
    try {
      await directory?.remove();
    } finally {
      release();
    }
  };
  try {
    directory = await spool.open();
    const { file, fields } = await readForm(ctx, upload, directory.path);
    if (!file && !isOptional)
      throw new HttpError(400, 'Required', { fields: { [field]: 'Required' } });
    return { file, fields, done };
  } catch (error) {
    await done();
    throw error;
  }
}

async function readForm(
  ctx: Context,
  { field, maxBytes, tooLarge }: Upload,
  directory: string,
): Promise<Pick<ReceivedForm, 'file' | 'fields'>> {
  const reader = multer({
    storage: multer.diskStorage({ destination: (_request, _file, to) => to(null, directory) }),
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
      throw new HttpError(413, tooLarge, { cause: error });
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new HttpError(503, 'Uploads are full right now. Try again later.', {
        headers: { 'retry-after': '60' },
        cause: error,
      });
    const { syscall, code } = error as NodeJS.ErrnoException;
    // A fault of this machine’s disk.
    if (syscall && code !== 'ECONNRESET') throw error;
    throw new HttpError(400, 'Invalid input', { cause: error });
  }
  const { file } = ctx as { file?: { path: string; size: number } };
  const { body } = ctx.request as { body?: Record<string, string> };
  return { file: file ? { path: file.path, bytes: file.size } : null, fields: { ...body } };
}

/** Returns a file’s hash. */
export async function hashOfFile({ path }: UploadedFile): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64url');
}
