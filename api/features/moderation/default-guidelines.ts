import type { GuidelineCategory } from '#shared/moderation/contract.ts';

interface DefaultGuideline {
  guideline_category: GuidelineCategory;
  title: string;
  description: string;
  examples: string[];
  consequences: string;
}

/** The guidelines of a new installation; admins can edit them. */
export const DEFAULT_GUIDELINES: readonly DefaultGuideline[] = [
  {
    guideline_category: 'respectful_communication',
    title: 'Be kind to each other',
    description:
      'Write to people as you would speak to them at the dog park. We come with different dogs, different experience and different opinions, and everyone deserves respect.',
    examples: [
      'Do: “My dog needs space, could we cross to the other side?”',
      'Do: disagree about training without making it personal.',
      'Don’t: insult people, or put them down for who they are, where they come from, or who they love.',
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction.',
  },
  {
    guideline_category: 'safety_first',
    title: 'Safety comes first',
    description:
      'Meet new people in public places and in daylight, and tell someone where you’re going. Keep your home address, your daily routes, and your bank details private until you know someone well.',
    examples: [
      'Do: suggest a park that you both know for your first walk together.',
      'Do: leave if something feels wrong, and report it.',
      'Don’t: pressure anyone to share where they live or when they’re alone.',
    ],
    consequences:
      'Accounts that endanger others are suspended. In an emergency, call the emergency services first.',
  },
  {
    guideline_category: 'no_illegal_content',
    title: 'No illegal content',
    description:
      'Don’t offer, ask for, or share anything illegal: drugs, weapons, stolen animals, fraud, or threats of violence.',
    examples: [
      'Don’t: sell drugs or prescription medicine, including for animals.',
      'Don’t: offer dogs or puppies that were stolen or smuggled.',
      'Don’t: threaten anyone or call for violence.',
    ],
    consequences:
      'Illegal content leads to termination of the account and a notice to law enforcement.',
  },
  {
    guideline_category: 'protect_minors',
    title: 'Protect children and young people',
    description:
      'Young people walk dogs, too. Never send them anything sexual, never ask them for pictures or to meet alone, and never share sexual content about them.',
    examples: [
      'Do: meet families together with a parent.',
      'Do: report anyone who approaches a child here right away.',
      'Don’t: ask anyone who may be underage for pictures or to keep a secret.',
    ],
    consequences: 'Without a warning, the account is terminated and law enforcement is notified.',
  },
  {
    guideline_category: 'animal_welfare',
    title: 'Treat animals well',
    description:
      'We are here because we care about dogs. Cruelty, neglect, dog fighting, and anything else that causes pain or fear have no place here, and neither does praising them.',
    examples: [
      'Do: point to a vet or a trainer when someone asks for help.',
      'Don’t: recommend beating, shocking or choking a dog.',
      'Don’t: arrange dog fights, or look for dogs to bait.',
    ],
    consequences:
      'Serious violations lead to suspension. Illegal ones lead to termination and a notice to law enforcement.',
  },
  {
    guideline_category: 'no_harassment',
    title: 'No harassment',
    description:
      'Respect a no, and treat silence as a no. Don’t keep writing to someone who doesn’t want it, don’t follow people on their walks, and don’t get others to do it for you.',
    examples: [
      'Do: accept it when someone removes or blocks you.',
      'Don’t: make sexual remarks, or send pictures that no one asked for.',
      'Don’t: show up where someone walks after they asked you not to.',
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction, serious ones to suspension.',
  },
  {
    guideline_category: 'spam_prevention',
    title: 'No spam',
    description:
      'Messages are for people who know each other. Don’t advertise, don’t send the same text to many people, and don’t ask anyone for money.',
    examples: [
      'Do: recommend the groomer that you are happy with when someone asks.',
      'Don’t: advertise your business, your shop or your channel in messages.',
      'Don’t: ask for gift cards, transfers or investments, whatever the story.',
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction; fraud to suspension.',
  },
];
