import type { ApiFeature } from '../../platform/services.ts';
import { documentData } from '../../platform/user-documents.ts';
import { idempotencyData } from './deletion.ts';
import { mountAccount } from './routes.ts';

export const account: ApiFeature = {
  personalData: [documentData, idempotencyData],
  mount: mountAccount,
};
