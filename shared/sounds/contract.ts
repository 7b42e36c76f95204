import { z } from 'zod';
import { soundType } from '../dogs/contract.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { SOUND_NAME_MAX, SOUND_MAX_BYTES } from './rules.ts';

/** An owner's own alert sound: one for each type. */
export const customSound = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  sound_type: soundType,
  /** The key of the recording, served from /api/sound-files/{image_key} to its owner only; null until it is uploaded. */
  image_key: z.string().nullable(),
  /** The name of the uploaded file; null for a recording made in the app. */
  image_filename: z.string().nullable(),
});
export type CustomSound = z.infer<typeof customSound>;

export const soundFields = z.object({
  name: z.string().trim().min(1, 'Required').max(SOUND_NAME_MAX),
  sound_type: soundType,
  image_filename: z.string().max(255).nullable().default(null),
});
export type SoundFields = z.input<typeof soundFields>;

export const listSounds = endpoint('GET', '/sounds', {
  access: 'member',
  answer: z.object({ sounds: z.array(customSound) }),
  failure: 'Failed to load sounds',
});

/** Makes a sound, in the place of the one of that type; its recording is uploaded afterwards. */
export const createSound = endpoint('POST', '/sounds', {
  access: 'member',
  body: soundFields,
  answer: z.object({ sound: customSound }),
  failure: 'Failed to save sound',
});

export const updateSound = endpoint('PUT', '/sounds/:id', {
  access: 'member',
  params: idParams,
  body: soundFields.pick({ name: true }),
  answer: z.object({ sound: customSound }),
  failure: 'Failed to save sound',
});

/** Removes a sound and its recording, also the recording of one that a device has removed already. */
export const deleteSound = endpoint('DELETE', '/sounds/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to delete sound',
});

/** Takes the recording: WAV with 16-bit samples, which every browser makes and plays. */
export const uploadSound = endpoint('POST', '/sounds/:id/recording', {
  access: 'member',
  params: idParams,
  upload: {
    field: 'sound',
    maxBytes: SOUND_MAX_BYTES,
    tooLarge: 'Sound size must be less than 1MB',
  },
  answer: z.object({ sound: customSound }),
  failure: 'Failed to upload sound',
});

export const getRecording = endpoint('GET', '/sound-files/:key', {
  access: 'member',
  params: z.object({ key: z.string().min(1).max(100) }),
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to load sound',
});
