import type { AuditEntry } from '#shared/admin/contract.ts';
import { capitalized } from '#shared/capitalized.ts';

/** Converts a name such as `access-code` to words. */
export const plainWords = (name: string): string => capitalized(name.replaceAll('-', ' '));

/** Returns the admin action of an audit log entry, such as 'Update access code'. */
export const actWords = ({ act, voids }: AuditEntry): string => {
  const [kind = '', action = ''] = act.split('.');
  const words = plainWords(`${action} ${kind}`);
  return voids ? `Failed: ${words}` : words;
};
