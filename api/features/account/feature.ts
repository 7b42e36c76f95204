import type { ApiFeature } from '../../platform/services.ts';
import { mountAccount } from './routes.ts';

export const account: ApiFeature = {
  mount: mountAccount,
};
