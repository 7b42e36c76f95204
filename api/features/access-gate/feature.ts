import type { ApiFeature } from '../../platform/services.ts';
import { mountAccessCodes } from './admin-routes.ts';
import { accessIndexes } from './collections.ts';
import { accessEmailData } from './emails.ts';
import { accessData } from './personal-data.ts';
import { accessPushes } from './pushes.ts';
import { mountAccessGate } from './routes.ts';

export const accessGate: ApiFeature = {
  indexes: accessIndexes,
  personalData: [accessData, accessEmailData],
  pushes: accessPushes,
  mount(api) {
    mountAccessGate(api);
    mountAccessCodes(api);
  },
};
