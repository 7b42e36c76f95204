import { TAKE_DOWN_REASON_MAX } from '#shared/advertisers/reasons.ts';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';

/** Why an ad is taken down, refunded or rejected. */
export const ReasonField = (field: { value: string; onChange: (reason: string) => void }) => (
  <MessageField
    label="Reason"
    hint="Shown to the advertiser."
    required
    rows={4}
    max={TAKE_DOWN_REASON_MAX}
    {...field}
  />
);
