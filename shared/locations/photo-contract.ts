import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { IMAGE_MAX_BYTES } from '../dogs/contract.ts';
import { locationPhoto } from './schemas.ts';

/** Adds a photo of a place. It is stored without its metadata. */
export const uploadLocationPhoto = endpoint('POST', '/locations/:id/photos', {
  access: 'member',
  params: idParams,
  upload: {
    field: 'image',
    maxBytes: IMAGE_MAX_BYTES,
    tooLarge: 'Image size must be less than 5MB',
  },
  answer: z.object({ photo: locationPhoto }),
  failure: 'Failed to upload image',
});

/** Removes a photo that the caller added. */
export const deleteLocationPhoto = endpoint('DELETE', '/location-photos/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the photo',
});
