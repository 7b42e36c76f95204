import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** What people read whose file is none of the images that we take. */
export const NOT_AN_IMAGE = 'Please select an image file';

export const getFile = endpoint({
  method: 'GET',
  path: '/files/:key',
  limit: { points: 3_000, seconds: 60 },
  access: 'member',
  params: z.object({ key: z.string().min(1).max(100) }),
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to load file',
});

/** Pictures that visitors see, too: of what is advertised. */
export const getPublicFile = endpoint({
  ...getFile,
  path: '/public-files/:key',
  access: 'public',
});
