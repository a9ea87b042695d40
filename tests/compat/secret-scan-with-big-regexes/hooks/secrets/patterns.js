export const PATTERNS = {
  aws: /\b(?:AKIA|ASIA|AROA|AIDA|ANPA|ANVA)[A-Z0-9]{16}\b/,
  github: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/,
  githubFineGrained: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/,
  gitlab: /\bglpat-[A-Za-z0-9_-]{20}\b/,
  slack: /\bxox[abposr]-(?:\d{10,13}-)?[A-Za-z0-9-]{10,}/,
  slackHook: /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}/,
  stripe: /\b[rs]k_(?:live|test)_[0-9A-Za-z]{24,}\b/,
  google: /\bAIza[0-9A-Za-z_-]{35}\b/,
  gcpServiceAccount: /"type"\s*:\s*"service_account"/,
  npm: /\bnpm_[A-Za-z0-9]{36}\b/,
  pypi: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}/,
  twilio: /\b(?:AC|SK)[0-9a-f]{32}\b/,
  sendgrid: /\bSG\.[\w-]{22}\.[\w-]{43}\b/,
  mailgun: /\bkey-[0-9a-f]{32}\b/,
  openai: /\bsk-(?:proj-)?[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b/,
  anthropic: /\bsk-ant-[a-z0-9]{2,}-[A-Za-z0-9_-]{80,}/,
  jwt: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{10,}/,
  privateKey: /-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP )?PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/,
  basicAuth: /(?<=:\/\/)[^\s:@/]{1,64}:[^\s:@/]{1,64}(?=@)/,
  assignment: /(?<=\b(?:api[_-]?key|secret|passw(?:or)?d|token)\s*[:=]\s*)["'](?<value>[^"']{6,})["']/,
};

const sources = Object.entries(PATTERNS).map(([name, regex]) => {
  // A name may be there once only.
  return `(?<${name}>${regex.source.replaceAll('?<value>', '?:')})`;
});

export const ALL = new RegExp(sources.join('|'), 'g');
