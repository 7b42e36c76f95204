import type { RuleAction } from '#shared/moderation/rules-contract.ts';
import type { ModerationSeverity } from '#shared/moderation/rules.ts';

/**
 * Returns what contradicts in a rule, or null: devices decide by its severity before a message is sent, the server by its action
 * after that.
 */
export function ruleContradiction(severity: ModerationSeverity, action: RuleAction): string | null {
  if (severity === 'critical') {
    if (action === 'flag')
      return 'Devices refuse to send critical messages, but this action only flags those that arrive. Choose “Block”, or a lower severity.';
    if (action === 'require_review')
      return 'Devices refuse to send critical messages, so there is little left to review. Choose “Block”, or a lower severity.';
    return null;
  }
  if (action === 'block' || action === 'auto_delete')
    return severity === 'low'
      ? 'Devices send low-severity messages without a warning, but this action refuses or deletes them. Choose “Critical”, or another action.'
      : 'Devices warn, but send the message, and this action refuses or deletes it. Choose “Critical”, or another action.';
  return null;
}
