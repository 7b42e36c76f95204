import type { ApiFeature } from '../../platform/services.ts';
import { mountWalks } from './routes.ts';

export const walks: ApiFeature = {
  mount: mountWalks,
};
