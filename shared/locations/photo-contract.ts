import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { idParams } from '../form-fields.ts';
import { locationPhoto } from './schemas.ts';

/** Adds a photo of a place. It is stored without its metadata. */
export const uploadLocationPhoto = endpoint('POST', '/locations/:id/photos', {
  access: 'member',
  params: idParams,
  upload: imageUpload,
  answer: z.object({ photo: locationPhoto }),
  failure: 'Failed to upload image',
});

/** Removes a photo that the caller added. */
export const deleteLocationPhoto = endpoint('DELETE', '/location-photos/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the photo',
});
