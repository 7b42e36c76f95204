import { CircleCheck, Link2, Mail, MessageSquare } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ReferralMethod } from '#shared/referrals/contract.ts';
import { TabList } from '../../platform/ui/navigation/tab-list.tsx';
import { LinkPanel } from './link-panel.tsx';
import { ReferralHistory } from './referral-history.tsx';
import { SendForm, type Draft } from './send-form.tsx';
import { refreshReferralStats, useReferralStats } from './use-referrals.ts';

/** How long the success message is shown before the modal closes. */
const SUCCESS_MS = 2000;

const TABS = [
  { value: 'link', name: 'Link', Icon: Link2 },
  { value: 'email', name: 'Email', Icon: Mail },
  { value: 'sms', name: 'SMS', Icon: MessageSquare },
] as const;

/** Three ways to invite a friend, and the history of invitations. */
export default function ReferFriends({ onDone }: { onDone: () => void }) {
  const { data: stats } = useReferralStats();
  // Kept here so that switching tabs doesn't lose the draft.
  const [draft, setDraft] = useState<Draft>({ email: '', phone: '', message: '' });
  const [sent, setSent] = useState<ReferralMethod | null>(null);

  useEffect(() => {
    if (!sent) return;
    void refreshReferralStats();
    const timer = setTimeout(onDone, SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [sent, onDone]);

  return (
    <>
      <div role="status" className="empty:hidden">
        {sent && (
          <p className="flex items-center gap-3 rounded-card border-2 border-accent bg-accent-soft p-5 text-lg font-bold">
            <CircleCheck aria-hidden className="size-7 shrink-0 text-accent" />
            Referral sent successfully via {sent}!
          </p>
        )}
      </div>
      {!sent && (
        <Tabs.Root defaultValue="link" className="flex flex-col gap-5">
          <TabList label="How to invite" tabs={TABS} />
          {(['email', 'sms'] as const).map((method) => (
            <Tabs.Content key={method} value={method} className="outline-offset-4">
              <SendForm
                method={method}
                isOff={stats ? !stats.methods.includes(method) : false}
                draft={draft}
                onDraft={setDraft}
                onSent={() => setSent(method)}
              />
            </Tabs.Content>
          ))}
          <Tabs.Content value="link" className="outline-offset-4">
            <LinkPanel
              accessCode={stats?.access_code ?? null}
              hasCodes={(stats?.codes_left ?? 0) > 0}
            />
          </Tabs.Content>
          <ReferralHistory />
        </Tabs.Root>
      )}
    </>
  );
}
