import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { idParams } from '../form-fields.ts';
import { plainName } from '../invisible-characters.ts';
import { DOG_NAME_MAX, BREED_MAX, AGE_MAX_YEARS } from './rules.ts';

export const soundType = z.enum(['leash_on', 'leash_off']);
export type SoundType = z.infer<typeof soundType>;

export const dogSize = z.enum(['small', 'medium', 'large']);
export type DogSize = z.infer<typeof dogSize>;

export const dogCoat = z.enum(['black', 'brown', 'golden', 'white', 'gray', 'mixed']);
export type DogCoat = z.infer<typeof dogCoat>;

/** Notes on a dog for others who meet it, the most important ones first. */
export const dogNote = z.enum([
  'in_heat',
  'fearful_of_men',
  'blind',
  'deaf',
  'in_training',
  'puppy',
  'friendly_on_leash',
]);
export type DogNote = z.infer<typeof dogNote>;

/** Returns the first and the last year in which a living dog may be born. The server's year may be a few hours behind. */
export function birthYears(now = new Date()): { min: number; max: number } {
  const year = now.getFullYear();
  return { min: year - AGE_MAX_YEARS, max: year };
}

const birthYear = z
  .number()
  .int()
  .refine((year) => year >= birthYears().min && year <= birthYears().max + 1, {
    error: () => `Enter a year from ${birthYears().min} to ${birthYears().max}`,
  });

/** The rest of a dog's description. Each part is optional; null is unknown. */
export const dogDetails = z.object({
  breed: z
    .string()
    .transform(plainName)
    .pipe(z.string().max(BREED_MAX))
    .transform((breed) => breed || null)
    .nullable(),
  size: dogSize.nullable(),
  coat: dogCoat.nullable(),
  birth_year: birthYear.nullable(),
  notes: z.array(dogNote).max(dogNote.options.length),
});

export const dogFields = dogDetails.partial().extend({
  name: z.string().transform(plainName).pipe(z.string().min(1, 'Required').max(DOG_NAME_MAX)),
  sound_type: soundType,
});
export type DogFields = z.infer<typeof dogFields>;

/** Rows and answers from before a detail existed do not have it. */
export const dog = z.object({
  id: z.string(),
  name: z.string(),
  sound_type: soundType,
  image_key: z.string().nullable(),
  created_at: z.string(),
  breed: z.string().nullable().optional(),
  size: dogSize.nullable().optional(),
  coat: dogCoat.nullable().optional(),
  birth_year: z.number().nullable().optional(),
  notes: z.array(dogNote).optional(),
});
export type Dog = z.infer<typeof dog>;

export const listDogs = endpoint('GET', '/dogs', {
  access: 'member',
  answer: z.object({ dogs: z.array(dog) }),
  failure: 'Failed to load dogs',
});

const ID = /^[\w-]{1,64}$/;
/** Chosen by the device. */
export const dogId = z.string().regex(ID);

/** The id may be chosen by the caller, who may then change the dog before the answer is here. A dog with that id stays as it is. */
export const createDog = endpoint('POST', '/dogs', {
  access: 'member',
  body: dogFields.extend({ id: dogId.optional() }),
  answer: z.object({ dog }),
  failure: 'Failed to add your dog.',
});

export const updateDog = endpoint('PUT', '/dogs/:id', {
  access: 'member',
  params: idParams,
  body: dogFields,
  answer: z.object({ dog }),
  failure: 'Failed to save dog',
});

export const deleteDog = endpoint('DELETE', '/dogs/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to delete dog',
});

export const uploadDogImage = endpoint('POST', '/dogs/:id/image', {
  access: 'member',
  params: idParams,
  upload: imageUpload,
  answer: z.object({ dog }),
  failure: 'Failed to upload image',
});
