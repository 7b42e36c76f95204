import { adminCheck } from '#shared/admin/contract.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';

export function mountAdmin(api: Api): void {
  serve(api, adminCheck, async ({ caller: { user } }) => ({
    isAdmin: user.is_admin,
    email: user.email,
  }));
}
