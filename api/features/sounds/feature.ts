import type { ApiFeature } from '../../platform/services.ts';
import { mountSounds } from './routes.ts';

export const sounds: ApiFeature = {
  mount: mountSounds,
};
