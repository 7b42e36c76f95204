import type { ApiFeature } from '../../platform/services.ts';
import { mountBlocks } from './routes.ts';

export const blocks: ApiFeature = {
  mount: mountBlocks,
};
