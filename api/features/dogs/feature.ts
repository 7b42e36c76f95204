import type { ApiFeature } from '../../platform/services.ts';
import { mountDogs } from './routes.ts';

export const dogs: ApiFeature = {
  mount: mountDogs,
};
