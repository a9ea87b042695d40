const ours = ['acme.example'];
export const isInternal = (domain) => ours.includes(domain);
