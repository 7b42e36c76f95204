import {
  BellRing,
  Dog,
  HandHeart,
  MapPin,
  MapPinOff,
  MessagesSquare,
  Trees,
  UserRoundPen,
  UserRoundPlus,
} from 'lucide-react';
import { useCard } from '../profile/use-card.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

/** What an owner does most, in one place. */
export function QuickActions() {
  const { card, saveProfile } = useCard();
  const sharing = card?.is_location_sharing_enabled ?? false;
  const LocationIcon = sharing ? MapPinOff : MapPin;
  return (
    <Card title="Quick Actions">
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/home?open=add-dog"
          icon={<Dog aria-hidden className="size-5 shrink-0" />}
        >
          Add Dog
        </ButtonLink>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/onboarding"
          icon={<UserRoundPen aria-hidden className="size-5 shrink-0" />}
        >
          Edit Profile
        </ButtonLink>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/locations"
          icon={<Trees aria-hidden className="size-5 shrink-0" />}
        >
          Walking Locations
        </ButtonLink>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/community"
          icon={<HandHeart aria-hidden className="size-5 shrink-0" />}
        >
          Community Charities
        </ButtonLink>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/social"
          icon={<MessagesSquare aria-hidden className="size-5 shrink-0" />}
        >
          Social & Chat
        </ButtonLink>
        <Button
          look="secondary"
          className="flex-col"
          disabled={!card}
          onClick={() =>
            card &&
            saveProfile({ display_name: card.display_name, is_location_sharing_enabled: !sharing })
          }
          icon={<LocationIcon aria-hidden className="size-5 shrink-0" />}
        >
          {sharing ? 'Disable Location' : 'Enable Location'}
        </Button>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/home?open=refer-friends"
          icon={<UserRoundPlus aria-hidden className="size-5 shrink-0" />}
        >
          Refer Friends
        </ButtonLink>
        <ButtonLink
          look="secondary"
          className="flex-col"
          to="/home?open=test-alerts"
          icon={<BellRing aria-hidden className="size-5 shrink-0" />}
        >
          Test Alerts
        </ButtonLink>
      </div>
    </Card>
  );
}
