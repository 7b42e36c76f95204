import type { ApiFeature } from '../../platform/services.ts';
import { accessIndexes } from './collections.ts';
import { mountAccessGate } from './routes.ts';
import { mountAccessCodes } from './admin-routes.ts';

export const accessGate: ApiFeature = {
  indexes: accessIndexes,
  mount(api) {
    mountAccessGate(api);
    mountAccessCodes(api);
  },
};
