export default "allow";
