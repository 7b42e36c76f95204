import type { ClientFeature } from '../../platform/features.ts';
import { soundsOf } from './sound-library.ts';

export const sounds: ClientFeature = {
  unsent: [{ kind: 'sounds', of: soundsOf }],
};
