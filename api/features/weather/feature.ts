import type { ApiFeature } from '../../platform/services.ts';
import { weatherIndexes } from './collections.ts';
import { mountWeather } from './routes.ts';

export const weather: ApiFeature = {
  indexes: weatherIndexes,
  mount: mountWeather,
};
