import type { ApiFeature } from '../../platform/services.ts';
import { paymentIndexes } from './collections.ts';
import { donationData } from './donation-ownership.ts';
import { mountPayments } from './routes.ts';

export const payments: ApiFeature = {
  indexes: paymentIndexes,
  personalData: [donationData],
  mount: mountPayments,
};
