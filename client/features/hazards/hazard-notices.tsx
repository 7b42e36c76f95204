import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { noticeKey } from '#shared/push/contract.ts';
import { useLeadingTab } from '../../platform/events/leading-tab-provider.tsx';
import { markShown } from '../../platform/events/shown-notices.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { refetchHazards } from './use-hazards.ts';

const SHOWN_MS = 15_000;

/** Shows hazards that are reported near this device while the app is open. */
export default function HazardNotices() {
  const tab = useLeadingTab();
  const navigate = useNavigate();
  const userId = useUser()?.id;
  useEffect(
    () =>
      tab.onEvent((event) => {
        if (event.type !== 'hazard') return;
        const { id, kind, description, latitude, longitude } = event.hazard;
        void refetchHazards();
        if (userId !== undefined) markShown(noticeKey.hazard(userId, id));
        toast.warning(`Nearby: ${HAZARD_NAMES[kind]}`, {
          id: `hazard:${id}`,
          ...(description && { description }),
          duration: SHOWN_MS,
          action: {
            label: 'Show',
            onClick: () =>
              void navigate(
                `/locations?latitude=${latitude.toFixed(3)}&longitude=${longitude.toFixed(3)}&hazard=${id}`,
              ),
          },
        });
      }),
    [tab, navigate, userId],
  );
  return null;
}
