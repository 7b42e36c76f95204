import type { AccessCode } from '#shared/access-gate/admin-contract.ts';
import { Pill } from '../admin/pill.tsx';
import { useNow } from '../use-now.ts';

/** Whether a code can be used now, and if not, why. */
export function CodeStatus({ code }: { code: AccessCode }) {
  const now = useNow();
  if (!code.is_active) return <Pill>Inactive</Pill>;
  if (code.expires_at !== null && Date.parse(code.expires_at) <= now) return <Pill>Expired</Pill>;
  if (code.max_uses !== null && code.current_uses >= code.max_uses) return <Pill>Used up</Pill>;
  return <Pill isOn>Active</Pill>;
}
