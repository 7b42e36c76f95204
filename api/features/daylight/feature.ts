import type { ApiFeature } from '../../platform/services.ts';
import { mountDaylight } from './routes.ts';

export const daylight: ApiFeature = { mount: mountDaylight };
