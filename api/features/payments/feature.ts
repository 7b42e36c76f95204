import type { ApiFeature } from '../../platform/services.ts';
import { paymentIndexes } from './collections.ts';
import { mountPayments } from './routes.ts';

export const payments: ApiFeature = {
  indexes: paymentIndexes,
  mount: mountPayments,
};
