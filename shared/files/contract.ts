import { z } from 'zod';
import { endpoint, type Upload } from '../endpoint.ts';
import { IMAGE_MAX_BYTES } from './rules.ts';

/** Shown for a file that is not a supported image. */
export const NOT_AN_IMAGE = 'Please select an image file';
export const imageUpload: Upload = {
  field: 'image',
  maxBytes: IMAGE_MAX_BYTES,
  tooLarge: 'Image size must be less than 5MB',
};

export const getFile = endpoint('GET', '/files/:key', {
  limit: { points: 3_000, seconds: 60 },
  access: 'member',
  params: z.object({ key: z.string().min(1).max(100) }),
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to load file',
});

/** Returns a picture of an ad or a charity, which visitors see, too. */
export const getPublicFile = endpoint('GET', '/public-files/:key', {
  ...getFile,
  access: 'public',
});
