import { inject } from 'vitest';
import { startUpdatableGateway, type UpdatableGateway } from '../install/updatable-gateway.ts';
import type { Scheme } from './engines.ts';

/** The product, as devices reach it: a gateway of this test in front of the run's servers. */
export type Product = UpdatableGateway;

export const openProduct = (scheme: Scheme): Promise<Product> =>
  startUpdatableGateway(inject('products')[scheme]);
