import { getInvitationPolicy, saveInvitationPolicy } from '#shared/referrals/admin-contract.ts';
import { CODES_PER_MONTH } from '#shared/referrals/rules.ts';
import { edit } from '../../platform/admin/versioned-edit.ts';
import { insertOnce } from '../../platform/database.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { POLICY_ID, invitationPolicies, type InvitationPolicyRow } from './collections.ts';

const present = ({ codes_per_month, version = 0 }: InvitationPolicyRow) => ({
  policy: { codes_per_month, version },
});

/** How many invitations with an access code members get. */
export function mountInvitationPolicy(api: Api): void {
  const { services } = api;
  const rows = invitationPolicies(services.db);
  const stored = () => insertOnce(rows, { _id: POLICY_ID, codes_per_month: CODES_PER_MONTH });

  serve(api, getInvitationPolicy, async () => present(await stored()));

  serve(api, saveInvitationPolicy, async ({ body: { codes_per_month, version }, caller }) => {
    await stored();
    const saved = await edit(services, rows, {
      caller,
      act: 'invitation-policy.update',
      id: POLICY_ID,
      version,
      set: { codes_per_month },
      missing: saveInvitationPolicy.failure,
    });
    return present(saved);
  });
}
