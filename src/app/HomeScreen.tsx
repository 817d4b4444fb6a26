export default function HomeScreen() { return <h1>HomeScreen</h1> }
