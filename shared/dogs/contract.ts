import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { plainName } from '../invisible-characters.ts';

export const DOG_NAME_MAX = 50;
export const DOGS_MAX = 20;
/** Less than 5 MB, as the words for a larger one say. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024 - 1;

export const soundType = z.enum(['leash_on', 'leash_off']);
export type SoundType = z.infer<typeof soundType>;

export const dogFields = z.object({
  name: z.string().transform(plainName).pipe(z.string().min(1, 'Required').max(DOG_NAME_MAX)),
  sound_type: soundType,
});
export type DogFields = z.infer<typeof dogFields>;

export const dog = z.object({
  id: z.string(),
  name: z.string(),
  sound_type: soundType,
  image_key: z.string().nullable(),
  created_at: z.string(),
});
export type Dog = z.infer<typeof dog>;

const id = z.object({ id: z.string().min(1).max(64) });

export const listDogs = endpoint({
  method: 'GET',
  path: '/dogs',
  access: 'member',
  answer: z.object({ dogs: z.array(dog) }),
  failure: 'Failed to load dogs',
});

export const createDog = endpoint({
  method: 'POST',
  path: '/dogs',
  access: 'member',
  body: dogFields,
  answer: z.object({ dog }),
  failure: 'Failed to add your dog.',
});

export const updateDog = endpoint({
  method: 'PUT',
  path: '/dogs/:id',
  access: 'member',
  params: id,
  body: dogFields,
  answer: z.object({ dog }),
  failure: 'Failed to save dog',
});

export const deleteDog = endpoint({
  method: 'DELETE',
  path: '/dogs/:id',
  access: 'member',
  params: id,
  answer: z.object({}),
  failure: 'Failed to delete dog',
});

export const uploadDogImage = endpoint({
  method: 'POST',
  path: '/dogs/:id/image',
  access: 'member',
  params: id,
  upload: {
    field: 'image',
    maxBytes: IMAGE_MAX_BYTES,
    tooLarge: 'Image size must be less than 5MB',
  },
  answer: z.object({ dog }),
  failure: 'Failed to upload image',
});
