import type { ApiFeature } from '../../platform/services.ts';
import { mountAccessCodes } from './admin-routes.ts';
import { accessIndexes } from './collections.ts';
import { accessPushes } from './pushes.ts';
import { mountAccessGate } from './routes.ts';

export const accessGate: ApiFeature = {
  indexes: accessIndexes,
  pushes: accessPushes,
  mount(api) {
    mountAccessGate(api);
    mountAccessCodes(api);
  },
};
