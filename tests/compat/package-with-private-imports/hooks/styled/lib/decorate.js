export const decorate = (text) => `*${text}*`;
